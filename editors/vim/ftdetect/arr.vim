autocmd BufRead,BufNewFile *.arr setfiletype arr
