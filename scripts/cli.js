// Becomes dist/cli.js: runs the command line.

import { load } from './loader.js'

load().exports.commandLine()
