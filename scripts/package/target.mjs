// The systems and processors that packages are built for, and how the command line names them.

/** electron-builder's flag for each of Node's platform names. */
const FLAGS = { linux: '--linux', darwin: '--mac', win32: '--windows' };
const PROCESSORS = ['x64', 'arm64'];
/** The format that electron-builder doesn't know. */
const NPM = 'npm';

/**
 * A system and a processor, in Node's names.
 * @typedef {{ platform: 'linux' | 'darwin' | 'win32', arch: 'x64' | 'arm64' }} Target
 */

/** The system and processor of this computer. */
export const HOST = { platform: process.platform, arch: process.arch };

/** A target as part of a file's name: `linux-arm64`. */
export const nameOf = ({ platform, arch }) => `${platform}-${arch}`;

/** electron-builder's flags for a target. */
export const flagsOf = ({ platform, arch }, formats = []) => [FLAGS[platform], ...formats, `--${arch}`];

/**
 * Reads the arguments of `npm run package`: `--linux`, `--mac`, `--windows`, `--x64`, `--arm64` choose targets (default: this computer),
 * `--inspectable` makes a build for tests, names such as `deb` choose formats, among them `npm`, and everything else goes to electron-builder.
 */
export function readArguments(args) {
  const named = (flags) => Object.entries(flags).flatMap(([name, flag]) => (args.includes(flag) ? [name] : []));
  const platforms = named(FLAGS);
  const processors = PROCESSORS.filter((arch) => args.includes(`--${arch}`));
  const targets = (platforms.length ? platforms : [HOST.platform]).flatMap((platform) =>
    (processors.length ? processors : [HOST.arch]).map((arch) => ({ platform, arch })),
  );
  const ours = ['--inspectable', ...Object.values(FLAGS), ...PROCESSORS.map((arch) => `--${arch}`)];
  const rest = args.filter((argument) => !ours.includes(argument));
  const formats = rest.filter((argument) => !argument.startsWith('-'));
  return {
    // The npm package alone is for every system.
    targets: formats.length === 1 && formats[0] === NPM ? [] : targets,
    npm: formats.includes(NPM),
    inspectable: args.includes('--inspectable'),
    formats: formats.filter((name) => name !== NPM),
    options: rest.filter((argument) => argument.startsWith('-')),
  };
}
