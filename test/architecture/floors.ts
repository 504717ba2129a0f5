/**
 * The floors of the project, from the top down. A file may import from its own room and from every floor below it. Rooms on
 * one line are neighbours: they do not import each other. A room ending in `/*` stands for the folders in it, each a
 * neighbour of the others; `/.` stands for the files that lie in a folder itself.
 */
export const FLOORS: readonly (readonly string[])[] = [
  ['test', 'bench', 'docs/examples'],
  ['main', 'cli', 'renderer'],
  ['server/.', 'transfer'],
  ['server/features/*'],
  ['server/core/.'],
  ['server/core/viewing'],
  ['server/core/albums'],
  ['server/core/images'],
  ['server/core/accounts', 'server/core/policies'],
  ['server/core/journal', 'server/core/settings'],
  ['server/platform/http', 'server/platform/jobs'],
  ['server/platform/fetching'],
  ['server/platform/storage'],
  ['server/platform/imaging'],
  ['server/platform/db'],
  ['server/platform/config'],
  ['server/platform/files'],
  ['server/platform/base'],
  ['api'],
];

/** Where a file is: its floor, counted from the top, and its room. */
export function placeOf(path: string, floors = FLOORS): { floor: number; room: string } | undefined {
  const places = floors.flatMap((rooms, floor) => rooms.map((room) => ({ floor, room: roomOf(path, room) })));
  const found = places.filter((place): place is { floor: number; room: string } => place.room !== undefined);
  // The innermost folder that is named decides.
  return found.sort((one, other) => other.room.length - one.room.length)[0];
}

function roomOf(path: string, room: string): string | undefined {
  if (room.endsWith('/*')) {
    const folder = room.slice(0, -1);
    const [inner, file] = path.startsWith(folder) ? path.slice(folder.length).split('/') : [];
    return inner && file ? folder + inner : undefined;
  }
  if (room.endsWith('/.')) {
    const folder = room.slice(0, -1);
    return path.startsWith(folder) && !path.slice(folder.length).includes('/') ? room : undefined;
  }
  return path.startsWith(`${room}/`) ? room : undefined;
}
