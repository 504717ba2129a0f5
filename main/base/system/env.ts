import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, delimiter, join, win32 } from 'node:path';
import { z } from 'zod';
import { canOpenPort } from '#api/desktop/listening.ts';
import { ALLOCATOR_ENV } from '#server/platform/config/allocator.ts';
import { defaultDataDir } from '#server/platform/config/data-dir.ts';

/** Environment variables that override defaults in development and tests. All are optional. */
export interface DesktopEnv {
  /** The chosen data folder. */
  dataDir?: string;
  /** The data folder unless one is chosen. */
  usualDataDir: string;
  /** The address to listen on, instead of what the LAN switch says. */
  host?: string;
  /** The port, instead of the chosen one. 0: any free port, kept until the app quits. */
  port?: number;
  /** The port for editors, all of which expect 36677. 0: any free port. */
  editorsPort: number;
  /** Whether this is a Wayland desktop. */
  wayland: boolean;
  /** The names of the desktop, such as `ubuntu:GNOME`; may be empty. */
  desktop: string;
  /** The address of the D-Bus session bus; undefined: there is none. */
  sessionBus: string | undefined;
  /** The file to start in place of the program, which lies in a folder that vanishes when it quits: an AppImage, or Windows' portable program. */
  launchFile: string | undefined;
  /** Whether this is the portable program of Windows. */
  isPortable: boolean;
  /** Where programs are looked for. */
  programFolders: string[];
  /** Where Linux desktops look for programs to start at login. */
  autostartFolder: string;
  /** Whether this desktop may show no tray icons. */
  mayLackTray: boolean;
}

const PORT_RULE = 'it must be a whole number from 0 to 65535';
const port = z.coerce.number(PORT_RULE).int(PORT_RULE).min(0, PORT_RULE).max(65_535, PORT_RULE);
const BLOCKED_RULE = 'browsers refuse to open this port, which belongs to another service';

const schema = z.object({
  PIXDOCK_DATA_DIR: z.string().min(1).optional(),
  PIXDOCK_HOST: z.string().min(1).optional(),
  PIXDOCK_EDITORS_PORT: port.default(36_677),
  WAYLAND_DISPLAY: z.string().optional(),
  XDG_CURRENT_DESKTOP: z.string().default(''),
  DBUS_SESSION_BUS_ADDRESS: z.string().optional(),
  APPIMAGE: z.string().optional(),
  APPDIR: z.string().optional(),
  PORTABLE_EXECUTABLE_FILE: z.string().optional(),
  XDG_CONFIG_HOME: z.string().optional(),
  PIXDOCK_PORT: port.refine(canOpenPort, BLOCKED_RULE).optional(),
  PATH: z.string().default(''),
});

/** Reads the environment of the running program; nothing else in main does. Throws an error that names the invalid variable. */
export function readEnv(source: NodeJS.ProcessEnv = process.env, program = process.execPath): DesktopEnv {
  const given = Object.entries(source).filter(([, value]) => value !== ''); // as in the service
  const parsed = schema.safeParse(Object.fromEntries(given));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new Error(`The environment variable ${issue?.path.join('.')} is invalid: ${issue?.message}.`);
  }
  const { data } = parsed;
  const portable = portableFile(data, program);
  return {
    dataDir: data.PIXDOCK_DATA_DIR,
    usualDataDir: defaultDataDir(source),
    host: data.PIXDOCK_HOST,
    port: data.PIXDOCK_PORT,
    editorsPort: data.PIXDOCK_EDITORS_PORT,
    wayland: Boolean(data.WAYLAND_DISPLAY),
    desktop: data.XDG_CURRENT_DESKTOP,
    launchFile: portable ?? appImage(data, program),
    isPortable: portable !== undefined,
    programFolders: data.PATH.split(delimiter).filter(Boolean),
    autostartFolder: join(data.XDG_CONFIG_HOME || join(homedir(), '.config'), 'autostart'),
    sessionBus: data.DBUS_SESSION_BUS_ADDRESS || undefined,
    mayLackTray: process.platform === 'linux' && (Boolean(data.WAYLAND_DISPLAY) || /gnome/i.test(data.XDG_CURRENT_DESKTOP)),
  };
}

type Launched = Pick<z.infer<typeof schema>, 'APPIMAGE' | 'APPDIR' | 'PORTABLE_EXECUTABLE_FILE'>;

/** Programs that an AppImage starts inherit its variables, as an installed Pixdock does from a terminal. */
function appImage({ APPIMAGE, APPDIR }: Launched, program: string): string | undefined {
  return APPDIR && existsSync(join(APPDIR, basename(program))) ? APPIMAGE : undefined;
}

/** They are inherited from portable programs, too. Ours runs in NSIS's temporary folder for plug-ins, such as `…\\nsa1B2C.tmp\\app`. */
function portableFile({ PORTABLE_EXECUTABLE_FILE }: Launched, program: string): string | undefined {
  return /\\ns\w+\.tmp\\app\\[^\\]+$/i.test(program) ? PORTABLE_EXECUTABLE_FILE : undefined;
}

/** The environment of a service process on Linux. */
export function serviceEnv(source: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return { ...ALLOCATOR_ENV, ...source };
}

/**
 * The absolute path of a program that comes with Windows. Windows looks up bare names in the working directory first, which may be a
 * folder of downloads.
 * @param path relative to System32, with its ending
 */
export function windowsTool(path: string, source: NodeJS.ProcessEnv = process.env): string {
  return win32.join(source.SystemRoot ?? 'C:\\Windows', 'System32', path);
}
