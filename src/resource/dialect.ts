/** The SQL of which server. MariaDB and MySQL are one: what they do differently is not in how a statement reads. */
export type Dialect = 'postgres' | 'mysql' | 'sqlite'

export const DIALECTS: readonly Dialect[] = ['postgres', 'mysql', 'sqlite']
