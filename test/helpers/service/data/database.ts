import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { inject } from 'vitest';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { runOn, TEMPLATE } from './postgres-server.ts';

/** Whether the tests run on PostgreSQL. */
export const onPostgres = !!process.env.PIXDOCK_TEST_POSTGRES;

/** Databases that may exist at once: those of earlier tests are dropped. */
const MAX_DATABASES = 40;

const created: string[] = [];
const byFolder = new Map<string, string>();

/** The URL of a new database without data, when the tests run on PostgreSQL. */
export async function newPostgresDatabase(): Promise<string> {
  const server = inject('postgres');
  const name = `test_${randomBytes(8).toString('hex')}`;
  const outdated = created.splice(0, created.length - MAX_DATABASES + 1);
  await runOn(
    server,
    ...outdated.map((database) => `drop database if exists ${database} with (force)`),
    `create database ${name} template ${TEMPLATE}`,
  );
  created.push(name);
  return server.replace(/[^/]*$/, name);
}

/** The database of a data folder, as an option of the service: always the same one for the same folder. */
export async function databaseOf(folder: string): Promise<{ databaseUrl?: string }> {
  if (!onPostgres) return {};
  const databaseUrl = byFolder.get(folder) ?? (await newPostgresDatabase());
  byFolder.set(folder, databaseUrl);
  return { databaseUrl };
}

/** A new database for `openDatabase`, on the engine that the tests run on. */
export const newDatabase = async (): Promise<string> => (onPostgres ? await newPostgresDatabase() : join(temporaryFolder(), 'pixdock.db'));
