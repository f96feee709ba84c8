// Becomes dist/cli.js: runs the command line.

import { script } from './loader.js'

script.commandLine()
