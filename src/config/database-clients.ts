// The databases of the configuration: the keys that each takes, and how it is written in short.

/** Of those that only some databases take. */
export const databaseKeys = ['filename', 'connection', 'schema', 'pooler', 'replicas'] as const

type Key = (typeof databaseKeys)[number]

interface DatabaseClient {
  /** A clause of the reference. */
  readonly description: string
  /** The key that says where it is; undefined: it needs none. */
  readonly place: Key | undefined
  /** For the message about a missing place. */
  readonly example?: string
  readonly takes: readonly Key[]
  /** Texts that name its place, in the place of the whole section. */
  readonly places?: RegExp
  /** Its place if the section is only its name. */
  readonly standardPlace?: string
  /** Whether content outlives the process. */
  readonly keepsContent: boolean
  /** Whether several processes may serve the same content. */
  readonly isShared: boolean
}

export type DatabaseClientName = 'memory' | 'sqlite' | 'postgres' | 'mysql'

export const databaseClients: Readonly<Record<DatabaseClientName, DatabaseClient>> = {
  memory: {
    description: 'forgets everything at the end',
    place: undefined,
    takes: [],
    keepsContent: false,
    isShared: false,
  },
  sqlite: {
    description: 'is one file',
    place: 'filename',
    example: 'filename: .data/cms.db',
    takes: ['filename'],
    places: /^[^\n:]+\.(?:db|sqlite3?)$/,
    standardPlace: '.data/cms.db',
    keepsContent: true,
    isShared: false,
  },
  postgres: {
    description: 'a server',
    place: 'connection',
    example: `connection: \${DATABASE_URL}`,
    takes: ['connection', 'schema', 'pooler', 'replicas'],
    places: /^postgres(?:ql)?:\/\//,
    keepsContent: true,
    isShared: true,
  },
  mysql: {
    description: 'a server, MySQL or MariaDB',
    place: 'connection',
    example: `connection: \${DATABASE_URL}`,
    takes: ['connection'],
    places: /^(?:mysql|mariadb):\/\//,
    keepsContent: true,
    isShared: true,
  },
}

export function listClients(wanted: (client: DatabaseClient) => boolean): readonly DatabaseClientName[] {
  const names = Object.keys(databaseClients) as DatabaseClientName[]
  return names.filter((name) => wanted(databaseClients[name]))
}
