//===- Options.cpp - the arguments of a program's command line ------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Run/Options.h"
#include "Core/Printable.h"
#include "Run/Text.h"

#include <cstdlib>
#include <cstring>

using namespace arrt;

namespace {

const std::vector<std::string> optionNames = {
    "--output",  "--entry", "--threads", "--target", "--repeat",
    "--convert", "--time",  "--help",    "--parts"};

bool split(const std::string &text, Assignment &assignment) {
  size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    return false;
  assignment.name = text.substr(0, equals);
  assignment.text = text.substr(equals + 1);
  assignment.isFile = !assignment.text.empty() && assignment.text[0] == '@';
  if (assignment.isFile)
    assignment.text.erase(0, 1);
  return true;
}

} // namespace

std::string arrt::parseOptions(int argc, char **argv, Options &options,
                               std::string &help) {
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    if (argument == "-h")
      argument = "--help";
    if (argument.compare(0, 2, "--")) {
      Assignment input;
      if (argument.size() > 1 && argument[0] == '-') {
        help = "see --help";
        return "unknown option '" + printable(argument) + "'";
      }
      if (!split(argument, input)) {
        help = "arguments are NAME=VALUE or NAME=@file.npy";
        return "'" + printable(argument) + "' is no argument";
      }
      for (const Assignment &other : options.inputs)
        if (other.name == input.name)
          return "'" + printable(input.name) + "' is given twice";
      options.inputs.push_back(input);
      continue;
    }
    // --name=value or --name value
    std::string name = argument, value;
    size_t equals = argument.find('=');
    bool inOne = equals != std::string::npos;
    if (inOne) {
      name = argument.substr(0, equals);
      value = argument.substr(equals + 1);
    }
    bool isFlag = name == "--convert" || name == "--time" || name == "--help";
    if (isFlag) {
      if (inOne)
        return "'" + name + "' takes no value";
      (name == "--convert" ? options.convert
       : name == "--time"  ? options.time
                           : options.help) = true;
      continue;
    }
    if (name != "--output" && name != "--entry" && name != "--threads" &&
        name != "--target" && name != "--repeat" && name != "--parts") {
      std::string near = nearest(name, optionNames);
      help = near.empty() ? "see --help" : "did you mean '" + near + "'?";
      return "unknown option '" + printable(name) + "'";
    }
    if (!inOne) {
      if (++i == argc)
        return "'" + name + "' wants a value";
      value = argv[i];
    }
    if (name == "--entry") {
      options.entry = value;
    } else if (name == "--target") {
      int32_t target, device;
      if (value != "auto" &&
          arrt_parse_target(value.c_str(), &target, &device)) {
        help =
            "targets are auto, cpu, cuda, cuda:N, cuda:N,M, cuda:all, and so "
            "for opencl";
        return "'" + printable(value) + "' is no target";
      }
      options.target = value;
    } else if (name == "--repeat") {
      char *end = nullptr;
      options.repeat = std::strtoll(value.c_str(), &end, 10);
      if (value.empty() || *end || options.repeat < 1 ||
          options.repeat > 1000000)
        return "'--repeat' wants a number from 1 to 1000000, not '" +
               printable(value) + "'";
    } else if (name == "--parts") {
      char *end = nullptr;
      long parts = std::strtol(value.c_str(), &end, 10);
      if (value.empty() || *end || parts < 1 || parts > 64)
        return "'--parts' wants a number from 1 to 64, not '" +
               printable(value) + "'";
      options.parts = int32_t(parts);
    } else if (name == "--threads") {
      char *end = nullptr;
      long threads = std::strtol(value.c_str(), &end, 10);
      if (value.empty() || *end || threads < 1 || threads > 1024)
        return "'--threads' wants a number from 1 to 1024, not '" +
               printable(value) + "'";
      options.threads = int32_t(threads);
    } else {
      Assignment output;
      if (!split(value, output) || !output.isFile || output.text.empty()) {
        help = "write --output NAME=@file.npy";
        return "'" + printable(value) + "' says no output";
      }
      for (const Assignment &other : options.outputs)
        if (other.name == output.name)
          return "the output '" + printable(output.name) + "' is given twice";
      options.outputs.push_back(output);
    }
  }
  return "";
}

const arrt_entry *arrt::findEntry(const arrt_program &program,
                                  const Options &options, std::string &error) {
  std::vector<std::string> names;
  for (int32_t e = 0; e < program.num_entries; ++e)
    names.push_back(program.entries[e].name);
  if (names.empty()) {
    error = "the program has no 'export def'";
    return nullptr;
  }
  std::string all;
  for (const std::string &name : names)
    all += (all.empty() ? "" : ", ") + name;
  if (options.entry.empty()) {
    if (names.size() == 1)
      return program.entries;
    error =
        "the program has several exports\nhelp: choose one by --entry: " + all;
    return nullptr;
  }
  if (const arrt_entry *entry =
          arrt_program_entry(&program, options.entry.c_str()))
    return entry;
  std::string near = nearest(options.entry, names);
  error = "the program has no export '" + printable(options.entry) +
          "'\nhelp: " +
          (near.empty() ? "its exports are " + all
                        : "did you mean '" + near + "'?");
  return nullptr;
}
