import { z } from 'zod';
import { ALLOCATOR_ENV } from '#server/platform/config/allocator.ts';

/** What the environment may override, for development and tests; nothing is needed. */
export interface DesktopEnv {
  /** The data folder; default: `data` in the app's own folder. */
  dataDir?: string;
  host: string;
  /** 0: any free port, kept until the app ends. */
  port: number;
  /** Of the address for editors; every editor expects 36677. 0: any free port. */
  editorsPort: number;
  /** Whether the desktop is a Wayland one. */
  wayland: boolean;
}

const PORT_RULE = 'it must be a whole number from 0 to 65535';
const port = z.coerce.number(PORT_RULE).int(PORT_RULE).min(0, PORT_RULE).max(65_535, PORT_RULE);

const schema = z.object({
  PIXDOCK_DATA_DIR: z.string().min(1).optional(),
  PIXDOCK_HOST: z.string().min(1).default('127.0.0.1'),
  PIXDOCK_EDITORS_PORT: port.default(36_677),
  WAYLAND_DISPLAY: z.string().optional(),
  PIXDOCK_PORT: port.default(7410),
});

/** Reads the environment; throws a sentence that names the wrong variable. Nothing else in main reads it. */
export function readEnv(source: NodeJS.ProcessEnv = process.env): DesktopEnv {
  const parsed = schema.safeParse(source);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new Error(`The environment variable ${issue?.path.join('.')} is wrong: ${issue?.message}.`);
  }
  const { data } = parsed;
  return {
    dataDir: data.PIXDOCK_DATA_DIR,
    host: data.PIXDOCK_HOST,
    port: data.PIXDOCK_PORT,
    editorsPort: data.PIXDOCK_EDITORS_PORT,
    wayland: Boolean(data.WAYLAND_DISPLAY),
  };
}

/** The surroundings of a service process on Linux. */
export function serviceEnv(source: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return { ...ALLOCATOR_ENV, ...source };
}
