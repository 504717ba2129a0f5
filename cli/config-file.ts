import { mkdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '#api/client.ts';
import { CommandError, describeReadError } from './errors.ts';
import { writeAtomically } from './replace-file.ts';

const schema = z.object({
  /** The default server. */
  base_url: z.string().optional(),
  /** One token per server, so that no token is ever sent to another server. */
  tokens: z.record(z.string(), z.string()).default({}),
  /** The servers whose token was made for this program, by approval in the browser: no other program has it. */
  approved: z.array(z.string()).optional(),
});
export type CliConfig = z.infer<typeof schema>;

/** Path of the settings that `pixdock login` writes. */
export function configPath(configDir: string) {
  return join(configDir, 'cli.json');
}

/**
 * Reads the stored settings; empty if there is no file yet.
 * @throws CommandError if the file is damaged
 */
export async function readConfig(configDir: string): Promise<CliConfig> {
  const path = configPath(configDir);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw new CommandError(`Can’t read the settings in ${path}: ${describeReadError(error)}.`, { cause: error });
  });
  if (text === null) return { tokens: {} };
  const parsed = schema.safeParse(parseJson(text));
  if (!parsed.success) throw new CommandError(`The settings in ${path} are damaged. Delete the file and run \`pixdock login\` again.`);
  return parsed.data;
}

/** Stores the settings atomically, readable by this user only. */
export async function writeConfig(configDir: string, config: CliConfig): Promise<void> {
  const path = configPath(configDir);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeAtomically(path, `${JSON.stringify(config, null, 2)}\n`, 0o600);
}

/** True if other users of this computer could read the stored tokens. Windows keeps the folder private. */
export async function isConfigExposed(configDir: string, platform: NodeJS.Platform): Promise<boolean> {
  if (platform === 'win32') return false;
  const found = await stat(configPath(configDir)).catch(() => null);
  return found !== null && (found.mode & 0o077) !== 0;
}
