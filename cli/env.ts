import { homedir, tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Environment variables and folders that the command line uses. */
export interface Environment {
  /** `PIXDOCK_BASE_URL`, unparsed. */
  baseUrl: string | undefined;
  /** `PIXDOCK_TOKEN`. */
  token: string | undefined;
  /** `PIXDOCK_SOURCE_TOKEN`: the token of another product. */
  sourceToken: string | undefined;
  /** Folder for this program's settings, readable by this user only. */
  configDir: string;
  /** Folder for state that this program can lose without harm. */
  stateDir: string;
  /** The desktop app's folder, where Electron puts it. */
  appDir: string;
  /** The user's home. */
  home: string;
  /** Folder for temporary files. */
  tempDir: string;
  /** `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`. */
  accessKey: { id: string | undefined; secret: string | undefined };
  platform: NodeJS.Platform;
  /** Whether there is a Wayland or X11 session with a clipboard. */
  wayland: boolean;
  x11: boolean;
  /** Whether this runs on a computer that the user isn't sitting at. */
  ssh: boolean;
  /** `NO_COLOR` is set and not empty (https://no-color.org). */
  noColor: boolean;
}

/** The only place in the command line that reads environment variables; an empty variable counts as absent. */
export function readEnvironment(env: NodeJS.ProcessEnv, platform = process.platform): Environment {
  return {
    baseUrl: env.PIXDOCK_BASE_URL || undefined,
    token: env.PIXDOCK_TOKEN || undefined,
    sourceToken: env.PIXDOCK_SOURCE_TOKEN || undefined,
    configDir: join(configHome(env, platform), 'pixdock'),
    stateDir: join(stateHome(env, platform), 'pixdock'),
    appDir: join(appHome(env, platform), 'Pixdock'),
    home: homeOf(env, platform),
    tempDir: (platform === 'win32' ? env.TEMP : env.TMPDIR) || tmpdir(),
    accessKey: { id: env.AWS_ACCESS_KEY_ID || undefined, secret: env.AWS_SECRET_ACCESS_KEY || undefined },
    platform,
    wayland: Boolean(env.WAYLAND_DISPLAY),
    x11: Boolean(env.DISPLAY),
    ssh: Boolean(env.SSH_CONNECTION),
    noColor: Boolean(env.NO_COLOR),
  };
}

/** The environment for the service in this process; options of the command line override it. */
export function serviceEnvironment(env: NodeJS.ProcessEnv, overrides: Record<string, string | undefined>): NodeJS.ProcessEnv {
  const given = Object.entries(overrides).filter(([, value]) => value !== undefined);
  return { ...env, ...Object.fromEntries(given) };
}

/** As `homedir` finds it, for any environment. */
function homeOf(env: NodeJS.ProcessEnv, platform: NodeJS.Platform) {
  return (platform === 'win32' ? env.USERPROFILE : env.HOME) || homedir();
}

function configHome(env: NodeJS.ProcessEnv, platform: NodeJS.Platform) {
  if (platform === 'win32' && env.APPDATA) return env.APPDATA;
  return absolute(env.XDG_CONFIG_HOME) ?? join(homeOf(env, platform), '.config');
}

function stateHome(env: NodeJS.ProcessEnv, platform: NodeJS.Platform) {
  if (platform === 'win32' && env.LOCALAPPDATA) return env.LOCALAPPDATA;
  return absolute(env.XDG_STATE_HOME) ?? join(homeOf(env, platform), '.local', 'state');
}

function appHome(env: NodeJS.ProcessEnv, platform: NodeJS.Platform) {
  return platform === 'darwin' ? join(homeOf(env, platform), 'Library/Application Support') : configHome(env, platform);
}

/** The XDG specification says to ignore relative paths. */
function absolute(path: string | undefined) {
  return path && isAbsolute(path) ? path : undefined;
}
