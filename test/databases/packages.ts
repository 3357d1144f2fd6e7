/** The packages of the applications, at exact versions. */
export const PACKAGES = {
  '@hono/node-server': '2.1.8',
  '@koa/bodyparser': '6.1.0',
  '@mikro-orm/core': '6.6.16',
  '@mikro-orm/postgresql': '6.6.16',
  'better-sqlite3': '12.11.1',
  bullmq: '6.7.0',
  'classic-level': '3.0.0',
  'drizzle-orm': '0.45.4',
  express: '5.3.0',
  fastify: '5.12.8',
  'graphile-worker': '0.16.6',
  hono: '4.13.18',
  ioredis: '5.11.1',
  knex: '3.3.0',
  koa: '3.2.1',
  kysely: '0.28.18',
  mariadb: '3.5.4',
  mongodb: '7.8.0',
  mongoose: '9.12.1',
  mysql2: '3.24.5',
  pg: '8.23.1',
  'pg-boss': '10.4.2',
  redis: '6.3.1',
  redlock: '4.2.0',
  'reflect-metadata': '0.2.2',
  sequelize: '6.37.8',
  typeorm: '1.1.1',
}

/** The one that has to be compiled. */
export const SQLITE = 'better-sqlite3'
