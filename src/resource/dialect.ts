/** The SQL dialect, by server. MariaDB and MySQL share one: where they differ, it is not in the syntax that is read here. */
export type Dialect = 'postgres' | 'mysql' | 'sqlite'

export const DIALECTS: readonly Dialect[] = ['postgres', 'mysql', 'sqlite']
