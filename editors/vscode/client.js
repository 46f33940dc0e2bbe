// Starts `arrc lsp` and lets it answer for .arr files.
"use strict";

const { workspace, window } = require("vscode");

let client;

function activate() {
  let language;
  try {
    language = require("vscode-languageclient/node");
  } catch (error) {
    // Colours work without it.
    window.showWarningMessage(
      "arrc: run 'npm install' in the folder of the extension for messages while typing"
    );
    return undefined;
  }
  const command = workspace.getConfiguration("arrc").get("path", "arrc");
  const server = { command, args: ["lsp"] };
  client = new language.LanguageClient(
    "arrc",
    "arrc",
    { run: server, debug: server },
    { documentSelector: [{ language: "arr" }] }
  );
  return client.start();
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
