// `cms-run --help`.

import type { Invocation } from '../invocation.ts'
import { exitCodes } from '../reporter.ts'

export function printHelp({ reporter }: Invocation): number {
  reporter.result({ help: helpText }, helpText)
  return exitCodes.ok
}

export const helpText = `cms-run: one YAML file in, a live REST and GraphQL API out

Usage
  cms-run [file]                serve it (default cms.yaml, then cms.yml) and follow its edits;
                                run, serve, dev and start are names for it
  cms-run validate [file]       check it and report every mistake
  cms-run print-config [file]   print it in full: shorthands expanded, defaults filled in, secrets masked
  cms-run permissions [file]    print who may do what, as a Markdown table with rules
  cms-run permissions [file] --as user:ann --explain order.find
                                why somebody (public, role:…, user:…, token:…) may do it, and what the database is asked
  cms-run schema [file]         print the GraphQL schema (SDL)
  cms-run types [file] [--out content.d.ts] [--watch]
                                TypeScript declarations of the content-types; --watch follows edits
  cms-run client [file] [--out client.ts] [--watch]
                                a typed client of the REST API for programs and front ends, in one file
  cms-run openapi [file]        print the OpenAPI document of the REST API
  cms-run test [cases.yaml] [--out junit.xml] [--watch]
                                run requests and compare their answers, in memory; --watch follows edits
  cms-run record [requests.yaml] --from <url> [--out recorded] [--force]
                                a running Strapi as a file with data, and what it answered as cases: of the
                                requests of a file, or of those made through it; --token, --admin-token
  cms-run check [file] --against <url>
                                ask a deployment what the file promises, and report where it differs; --token
  cms-run mcp [file] [--as role:editor]
                                serve the content to an agent over standard input and output (Model Context
                                Protocol), as public, role:…, user:…, token:… or developer
  cms-run mcp install [file] [--as role:editor]
                                print the settings with which agents start it
  cms-run init [file] [--template blog|shop|site|calendar] [--agents] [--force]
                                write a file to begin with; --agents: and AGENTS.md beside it, which tells agents
                                how to check, plan and test it, also where the file is there already
  cms-run doctor [file]         whether this machine can serve it: Node, transport, port, database, packages
  cms-run plan [file]           what a start or reload would change in the database; --exit-code tells it, too
  cms-run export [file] --to <archive>
                                all content and files as one archive
  cms-run import <archive> [--into file] [--replace]
                                an archive into the database of the file (default cms.yaml)
  cms-run import --strapi <folder or export> [--project folder] [--into file] [--replace] [--on-misfit stop] [--copy]
                                a Strapi 4 or 5 project: its schemas as a file, its content into the database;
                                --project: the folder that an export is of, whose code may guard permissions;
                                --on-misfit: values that do not fit stop it, are left out (skip), or kept in a
                                file beside the configuration (text); --copy: its code is copied to strapi/
                                beside the configuration instead of named where it stands
  cms-run import --strapi <folder> --check [--into file]
                                what the project has and the file has not; nothing is changed
  cms-run migrate [file] --to strapi-5 [--dry-run]
                                rewrite it for the clients of Strapi 5, and tell what front ends have to change
  cms-run backup [file] [--to copy.db]
                                a copy of the database file, while a server goes on
  cms-run webhooks list [file]  what webhooks have not delivered yet, and what was given up
  cms-run webhooks retry [file] try again what was given up
  cms-run sessions list [file] --user <email or id>
                                the sessions of a user, by device
  cms-run sessions revoke [file] --user <email or id>
                                end them all: their refresh tokens are refused at once
  cms-run users [file]          the users: id, name, address, role, whether blocked or confirmed
  cms-run users create [file] --username ann --email ann@example.com --role editor [--generate]
                                make a user; the password is asked for, read from standard input, or made
  cms-run users password [file] --user <name, email or id> [--generate]
                                give a new password, which ends the sessions and tokens of the user
  cms-run users role [file] --user <name, email or id> --role editor
                                give another role
  cms-run token create <name>   make an API token; --type read-only, full-access or custom; --expires 90d
  cms-run token list [file]     print the API tokens of the file, and when each was last used
  cms-run secrets               print new random secrets for .env

Flags
  -p, --port <number>     listen here; 0 picks a free port            (default 1337)
      --host <address>    listen on this address                      (default 127.0.0.1)
      --env <name>        development, staging or production          (default development)
      --workers <number>  processes that share the port, with PostgreSQL (default 1)
      --no-watch          do not follow edits
      --poll              follow edits on mounts that send no events
      --reseed            memory database: an edit of data puts the content back to it
      --open              open the console, or the first list that everybody may read
      --json              one JSON document of the output and all reports; a log in JSON
      --format <form>     text, json or github (annotations)
  -h, --help              this text
  -v, --version           the version

Signals
  SIGHUP reads the file again; SIGTERM and SIGINT finish the running requests and end.

Exit codes
  0 success, 1 a check or a run failed, 2 wrong usage
  plan --exit-code: 0 nothing would change, 3 something would, 4 stored values would be dropped
`
