// MySQL and MariaDB, by mysql2, which is loaded with the first use.

import type { Driver } from '../../driver.ts'
import { createMysqlDialect } from './mysql-dialect.ts'

export const mysqlDriver: Driver = {
  dialect: createMysqlDialect('mariadb'),
  async open(config, _directory, { timeout, watch }) {
    const { openMysql } = await import('./open-mysql.ts')
    return openMysql(config, timeout, watch)
  },
  async inspect(config) {
    const { inspectMysql } = await import('./open-mysql.ts')
    const { productNames } = await import('./server-faults.ts')
    const { product, version } = await inspectMysql(config)
    return `${productNames[product]} ${version}`
  },
  findMissing: () => undefined,
  backup: undefined,
  backupAdvice:
    'a MySQL or MariaDB database is backed up with its own tools, mariadb-dump or mysqldump with --single-transaction for example',
}
