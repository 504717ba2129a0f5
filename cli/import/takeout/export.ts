import { posix } from 'node:path';
import { PICTURE_EXTS } from '#api/formats.ts';
import { albumTitle } from '#transfer/albums.ts';
import type { Filters } from '#transfer/select.ts';
import { type FoundFile, type WalkEvents, walk } from '#transfer/walk.ts';
import { type OwnAlbum, readData } from './metadata.ts';
import { folded, partsOf, VIDEO_EXTENSIONS } from './names.ts';
import { Sidecars } from './sidecars.ts';

/** A file of an export that is to be uploaded, with its JSON file and the name of its album. */
export interface ExportedFile extends FoundFile {
  sidecar: FoundFile | undefined;
  album: string | undefined;
}

/** An unpacked Google Takeout. */
export interface TakeoutExport {
  files: ExportedFile[];
  /** How many JSON files there are. */
  jsons: number;
  /** JSON files of pictures that aren't there. */
  orphans: FoundFile[];
  /** Damaged JSON files that belong to no picture; they may be those of albums. */
  damaged: FoundFile[];
  /** Folders of albums without a title. */
  untitled: string[];
  videos: number;
  /** Those of the videos that belong to a picture. */
  liveVideos: number;
  /** Archives that aren't unpacked. */
  archives: string[];
  /** What Pixdock has written about albums: their names, and the folders. */
  ownAlbums: { name: string; folder: string; own: OwnAlbum }[];
  /** Files that are none of these, and pictures that the filters leave out. */
  others: number;
}

/** A folder of the export; what several parts of the export have of it is one. */
interface Folder {
  /** Relative to the export, without the numbers of parts. */
  path: string;
  media: NamedFile[];
  jsons: NamedFile[];
}

type NamedFile = ExportedFile & { name: string };

const PICTURES = new Set(PICTURE_EXTS);
const VIDEOS = new Set<string>(VIDEO_EXTENSIONS);
/** Where a part of an export is usually unpacked: `takeout-20250203T030726Z-1-001`. */
const PART = /^(takeout-\d{8}T\d{6}Z)(-\d+)+$/i;
const ARCHIVE = /^takeout-.*\.(zip|tgz|tar\.gz)$/i;

/** Which files of an export are taken; videos may be refused. */
interface ExportFilters extends Filters {
  takes(file: FoundFile): Promise<boolean>;
}

/**
 * Reads an export: the names of its files, and the JSON files that belong to no picture.
 * @param isOver asked before each file, ends the walk
 */
export async function scanExport(root: string, filters: ExportFilters, events: WalkEvents, isOver: () => boolean): Promise<TakeoutExport> {
  const found: TakeoutExport = {
    files: [],
    jsons: 0,
    orphans: [],
    damaged: [],
    untitled: [],
    videos: 0,
    liveVideos: 0,
    archives: [],
    ownAlbums: [],
    others: 0,
  };
  const folders = new Map<string, Folder>();
  for await (const entry of walk(root, { ...filters, takesFile: () => true }, events)) {
    if (isOver()) return found;
    const file: NamedFile = Object.assign(entry, { name: posix.basename(entry.relative), sidecar: undefined, album: undefined });
    const { media, jsons } = folderOf(folders, entry.folder);
    if (extensionOf(file) === 'json') jsons.push(file);
    else if (isVideo(file) || isPicture(file) || filters.takesType(file.relative)) media.push(file);
    else if (ARCHIVE.test(file.name)) found.archives.push(file.relative);
    else found.others++;
  }
  const titles = new Map<Folder, string>();
  const own = new Map<Folder, OwnAlbum>();
  for (const folder of folders.values()) {
    if (isOver()) return found;
    await readFolder(folder, found, { titles, own, filters });
  }
  const albums = albumNames(titles);
  for (const [folder, one] of own) found.ownAlbums.push({ name: albums.get(folder) ?? '', folder: folder.path, own: one });
  for (const folder of folders.values()) {
    for (const file of folder.media) {
      if (filters.takesFile(file.relative)) found.files.push(Object.assign(file, { album: albums.get(folder) }));
      else found.others++;
    }
  }
  return found;
}

function folderOf(folders: Map<string, Folder>, relative: string): Folder {
  const names = relative.split('/').map((name) => name.replace(PART, '$1'));
  const path = names.join('/');
  const folder = folders.get(path) ?? { path, media: [], jsons: [] };
  folders.set(path, folder);
  return folder;
}

/** Matches pictures and JSON files, and finds the album among the JSON files that are left. */
async function readFolder(
  folder: Folder,
  found: TakeoutExport,
  { titles, own, filters }: { titles: Map<Folder, string>; own: Map<Folder, OwnAlbum>; filters: ExportFilters },
) {
  // Pictures come before the videos of the same name, which share their JSON file.
  const pictures = folder.media.filter((file) => !isVideo(file));
  const videos = folder.media.filter(isVideo);
  const matcher = new Sidecars(folder.jsons, titleOf);
  for (const [file, json] of await matcher.match([...pictures, ...videos])) file.sidecar = json;
  const stems = new Set(pictures.map(stemOf));
  found.jsons += folder.jsons.length;
  const live = videos.filter((file) => stems.has(stemOf(file)));
  const taken: NamedFile[] = [];
  for (const file of videos) if (!live.includes(file) && filters.takesFile(file.relative) && (await filters.takes(file))) taken.push(file);
  folder.media = [...pictures, ...taken];
  found.videos += videos.length - taken.length;
  found.liveVideos += live.length;
  for (const json of matcher.left) {
    const data = await readData(json).catch(() => undefined);
    if (!data) found.damaged.push(json);
    if (data?.kind === 'picture' && !data.isTrashed) found.orphans.push(json);
    if (data?.kind !== 'album') continue;
    titles.set(folder, titles.get(folder) || data.title);
    if (data.own) own.set(folder, data.own);
  }
  if (titles.get(folder) === '' && pictures.length > 0) found.untitled.push(folder.path);
}

/** The title of the picture that a JSON file describes; undefined if it can't be read. */
async function titleOf(json: FoundFile): Promise<string | undefined> {
  const data = await readData(json).catch(() => undefined);
  return data?.kind === 'picture' ? data.title : undefined;
}

/** The names of albums: their titles, with Google's number after those that several albums have. */
function albumNames(titles: Map<Folder, string>): Map<Folder, string> {
  const names = new Map<Folder, string>();
  for (const [folder, title] of titles) {
    if (!title) continue;
    const isShared = [...titles].some(([other, same]) => same === title && other !== folder);
    const [number = ''] = isShared ? (/\(\d+\)$/.exec(folder.path) ?? []) : [];
    names.set(folder, albumTitle(number ? `${title} ${number}` : title));
  }
  return names;
}

const extensionOf = ({ name }: NamedFile) => partsOf(folded(name)).extension.slice(1);
const isVideo = (file: NamedFile) => VIDEOS.has(extensionOf(file));
const isPicture = (file: NamedFile) => PICTURES.has(extensionOf(file));

/** The name without extension. A motion photo's video can be `PXL_1.MP` beside `PXL_1.MP.jpg`. */
function stemOf({ name }: NamedFile) {
  const whole = folded(name).replace(/\.[^.]*$/, '');
  return whole.replace(/\.mp$/, '');
}
