/** The top-level folders, and those that each may import. */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  api: [],
  texts: ['api'],
  transfer: ['api'],
  server: ['api', 'texts', 'transfer'],
  main: ['api', 'server', 'texts', 'transfer'],
  cli: ['api', 'server', 'texts', 'transfer'],
  renderer: ['api', 'texts'],
  bench: ['api', 'cli', 'main', 'renderer', 'server', 'test', 'texts', 'transfer'],
  docs: ['api'],
  test: ['api', 'bench', 'cli', 'docs', 'main', 'renderer', 'server', 'texts', 'transfer'],
};

/**
 * The floors inside a top-level folder, from the top down. A file may import from its own room and from every floor below it.
 * A room is a folder or a file; `features/*` means the folders in it, `.` the files that no other room names. Rooms on
 * one floor are neighbours, which don't import each other.
 */
export const FLOORS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  server: [
    ['.'],
    ['boot'],
    ['network'],
    ['features/*'],
    ['core'],
    ['core/requests'],
    ['core/viewing', 'core/deletion'],
    ['core/albums'],
    ['core/images'],
    ['core/accounts', 'core/policies'],
    ['core/journal', 'core/settings'],
    ['platform/http', 'platform/jobs'],
    ['platform/fetching'],
    ['platform/storage'],
    ['platform/limits'],
    ['platform/imaging'],
    ['platform/db'],
    ['platform/config'],
    ['platform/files'],
    ['platform/admission', 'platform/metrics'],
    ['platform/base'],
  ],
  main: [
    ['.'],
    ['app'],
    ['tray', 'editors', 'delivery'],
    ['recording'],
    ['capture', 'first-launch'],
    ['windows'],
    ['watcher'],
    ['uploader'],
    ['lan', 'joining'],
    ['service'],
    ['journal'],
    ['base'],
    ['ipc.ts'],
    ['texts'],
  ],
  cli: [['pixdock.ts'], ['program.ts'], ['commands'], ['import', 'markdown', 'mcp'], ['.']],
  renderer: [
    ['main.tsx', 'desktop', 'light'],
    ['app.tsx'],
    ['router.tsx'],
    ['shell', 'features/*'],
    ['editor'],
    ['upload'],
    ['albums', 'network'],
    ['images'],
    ['components'],
    ['plain'],
    ['language'],
    ['service'],
    ['platform'],
    ['preferences', 'theme'],
    ['.'],
    ['i18n'],
  ],
};

/** Folders of which other folders import a few files only, their doors. Tests may open what is behind them. */
export const DOORS: Readonly<Record<string, readonly string[]>> = {
  'server/platform/imaging': [
    ...['inspect.ts', 'strip.ts', 'convert.ts', 'thumbnail.ts', 'recognize.ts', 'video.ts', 'emblem.ts'],
    // What needs no decoder.
    ...['sniff.ts', 'orientation.ts', 'types.ts', 'limits.ts', 'errors.ts'],
    // The queue of all that decodes, and the processes that do. The desktop app relays what they say.
    ...['decoding.ts', 'decoders.ts', 'decoder/protection.ts', 'decoder/launch.ts', 'decoder/messages.ts'],
  ],
};

/** Where a file is inside its top-level folder: its floor, counted from the top, and its room. */
export interface Place {
  floor: number;
  room: string;
}

/** The place of a file; a folder without floors is one room. Undefined when no room names the file. */
export function placeOf(path: string): Place | undefined {
  const [top, ...rest] = path.split('/');
  const floors = FLOORS[top as string] ?? [['.']];
  const places = floors.flatMap((rooms, floor) =>
    rooms.map((room) => ({ floor, room: roomOf(rest.join('/'), room, FLOORS[top as string]) })),
  );
  const found = places.filter((place): place is Place => place.room !== undefined);
  // The innermost room that contains the file is its room.
  return found.sort((one, other) => other.room.length - one.room.length)[0];
}

function roomOf(path: string, room: string, floors: unknown): string | undefined {
  if (room === '.') return floors === undefined || !path.includes('/') ? room : undefined;
  if (room.endsWith('/*')) {
    const folder = room.slice(0, -1);
    const [inner, file] = path.startsWith(folder) ? path.slice(folder.length).split('/') : [];
    return inner && file ? folder + inner : undefined;
  }
  return path === room || path.startsWith(`${room}/`) ? room : undefined;
}
