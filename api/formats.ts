/** What holds for a format, and what it is used for. */
type Trait =
  /** Browsers show it: a picture is stored and served in it, without its metadata. Pictures in other formats are converted. */
  | 'shown'
  /** Shapes and text rather than pixels: stored as it is where an admin allows it, never sent by guests, and not taken from folders. */
  | 'drawing'
  /** It has sound and a duration: stored and served as its group allows, never converted (MOV becomes MP4, its samples unchanged). */
  | 'video'
  | 'animated'
  | 'transparent'
  /** Its thumbnails say too little: those of a GIF don't move, those of a drawing are less sharp. */
  | 'whole'
  /** Pictures are converted to it; with the second, animations, too. */
  | 'written'
  | 'written animated'
  /** Uploaders can choose it. */
  | 'chosen'
  /** Storage policies can convert everything to it; with the second, HEIC. */
  | 'policy'
  | 'policy for HEIC'
  | 'thumbnail'
  /** Canvases are saved in it. */
  | 'canvas'
  /** What can become the picture of a user, or the logo of a site. */
  | 'avatar'
  | 'logo'
  /** What it becomes is for storage policies to say; other formats that browsers don't show become PNG. */
  | 'photo'
  /** Phones and computers make it: named where there is room for few. */
  | 'usual'
  /** Many systems don't know its media type. */
  | 'untyped';

export interface Format {
  /** Its name in every language. */
  readonly label: string;
  /** The extensions of files; the first is that of links. */
  readonly exts: readonly [string, ...string[]];
  /** Media types; pictures are served with the first. */
  readonly types: readonly [string, ...string[]];
  /** Its names in the list of what a group may upload, any of which allows it. */
  readonly allowedAs: readonly [string, ...string[]];
  readonly traits: readonly Trait[];
  /** The format for what is drawn on such a picture: its own where a canvas can be saved in it. */
  readonly editedAs?: 'jpeg' | 'png' | 'webp';
  /**
   * Of what a clipboard offers, the lowest rank is best: originals before converted copies, lossless formats before lossy ones. The names are those of
   * macOS and Windows; `original` is one that is only there if it was copied as such, and better than all others.
   */
  readonly clipboard?: { readonly rank: number; readonly names: readonly string[]; readonly original?: string };
}

/** The formats of pictures and videos that Pixdock knows, the single source of every list of them. */
export const FORMATS = {
  jpeg: {
    label: 'JPEG',
    exts: ['jpg', 'jpeg', 'jpe', 'jfif', 'jif', 'pjpeg', 'pjp', 'mpo'],
    types: ['image/jpeg', 'image/jpg', 'image/pjpeg'],
    allowedAs: ['jpg', 'jpeg'],
    traits: ['shown', 'written', 'chosen', 'policy', 'policy for HEIC', 'thumbnail', 'canvas', 'avatar', 'logo', 'usual'],
    editedAs: 'jpeg',
    clipboard: { rank: 6, names: ['public.jpeg', 'jfif'] },
  },
  png: {
    label: 'PNG',
    exts: ['png', 'apng'],
    types: ['image/png', 'image/apng', 'image/x-png'],
    allowedAs: ['png'],
    traits: ['shown', 'animated', 'transparent', 'written', 'chosen', 'policy', 'canvas', 'avatar', 'logo', 'usual'],
    editedAs: 'png',
    clipboard: { rank: 1, names: ['public.png', 'png'] },
  },
  gif: {
    label: 'GIF',
    exts: ['gif'],
    types: ['image/gif'],
    allowedAs: ['gif'],
    traits: ['shown', 'animated', 'transparent', 'whole', 'written', 'written animated'],
    editedAs: 'png',
    clipboard: { rank: 3, names: ['gif'], original: 'com.compuserve.gif' },
  },
  webp: {
    label: 'WebP',
    exts: ['webp'],
    types: ['image/webp'],
    allowedAs: ['webp'],
    traits: [
      ...['shown', 'animated', 'transparent', 'written', 'written animated', 'chosen', 'policy', 'policy for HEIC'],
      ...['thumbnail', 'canvas', 'avatar', 'logo'],
    ] as const,
    editedAs: 'webp',
    clipboard: { rank: 2, names: ['org.webmproject.webp'] },
  },
  avif: {
    label: 'AVIF',
    exts: ['avif', 'avifs'],
    types: ['image/avif', 'image/avif-sequence'],
    allowedAs: ['avif'],
    traits: ['shown', 'animated', 'transparent', 'written', 'chosen', 'thumbnail', 'untyped'],
    editedAs: 'webp',
    clipboard: { rank: 4, names: ['public.avif'] },
  },
  heic: {
    label: 'HEIC',
    exts: ['heic', 'heif', 'hif', 'heics', 'heifs'],
    types: ['image/heic', 'image/heic-sequence'],
    allowedAs: ['heic', 'heif'],
    traits: ['photo', 'usual', 'untyped'],
    clipboard: { rank: 5, names: ['public.heic'] },
  },
  /** With another codec than HEVC and AV1. */
  heif: {
    label: 'HEIF',
    exts: ['heif', 'hif', 'heifs', 'heic'],
    types: ['image/heif', 'image/heif-sequence'],
    allowedAs: ['heif', 'heic'],
    traits: ['photo', 'untyped'],
    clipboard: { rank: 5, names: ['public.heif'] },
  },
  bmp: {
    label: 'BMP',
    exts: ['bmp', 'dib'],
    types: ['image/bmp', 'image/x-bmp', 'image/x-ms-bmp'],
    allowedAs: ['bmp'],
    traits: [],
    clipboard: { rank: 8, names: [] },
  },
  tiff: {
    label: 'TIFF',
    exts: ['tif', 'tiff'],
    types: ['image/tiff'],
    allowedAs: ['tiff'],
    traits: [],
    clipboard: { rank: 7, names: ['public.tiff'] },
  },
  svg: {
    label: 'SVG',
    exts: ['svg'],
    types: ['image/svg+xml'],
    allowedAs: ['svg'],
    traits: ['shown', 'drawing', 'transparent', 'whole', 'logo'],
  },
  mp4: { label: 'MP4', exts: ['mp4', 'm4v'], types: ['video/mp4'], allowedAs: ['mp4'], traits: ['shown', 'video', 'whole'] },
  mov: { label: 'MOV', exts: ['mov'], types: ['video/quicktime'], allowedAs: ['mov'], traits: ['video'] },
  webm: { label: 'WebM', exts: ['webm'], types: ['video/webm'], allowedAs: ['webm'], traits: ['shown', 'video', 'whole'] },
} as const satisfies Record<string, Format>;

type Formats = typeof FORMATS;
export type FormatName = keyof Formats;
/** The formats for which a trait holds. */
export type FormatWith<T extends Trait> = { [N in FormatName]: T extends Formats[N]['traits'][number] ? N : never }[FormatName];
/** The extension of links to pictures in a format. */
export type ExtOf<N extends FormatName> = Formats[N]['exts'][0];

export const FORMAT_NAMES = Object.keys(FORMATS) as FormatName[];
const unique = <T>(values: readonly T[]) => [...new Set(values)];

export function hasTrait<T extends Trait>(name: FormatName, trait: T): name is FormatWith<T> {
  return (FORMATS[name].traits as readonly Trait[]).includes(trait);
}

export const formatsWith = <T extends Trait>(trait: T): FormatWith<T>[] => FORMAT_NAMES.filter((name) => hasTrait(name, trait));
export const extOf = <N extends FormatName>(name: N): ExtOf<N> => FORMATS[name].exts[0];

/** The format in which an edited picture is saved; undefined: any. Browsers write no AVIF. */
export const editedAs = (name: FormatName): Format['editedAs'] => (FORMATS[name] as Format).editedAs;

/** The format of files with this extension, which has no dot. */
export const formatOf = (ext: string): FormatName | undefined =>
  FORMAT_NAMES.find((name) => (FORMATS[name].exts as readonly string[]).includes(ext.toLowerCase()));
/** The format of a file, by its name. */
export const formatOfFile = (name: string): FormatName | undefined => formatOf(/\.(\w+)$/.exec(name)?.[1] ?? '');
/** The format of a media type. */
export const formatOfType = (type: string): FormatName | undefined =>
  FORMAT_NAMES.find((name) => (FORMATS[name].types as readonly string[]).includes(type.toLowerCase()));

/** The extension of links to pictures whose files may have another one; that one where it isn't known. */
export function linkExtOf(ext: string): string {
  const name = formatOf(ext);
  return name ? extOf(name) : ext;
}

/** The extensions of links. */
export const SERVED_EXTS = formatsWith('shown').map(extOf);

export const isDrawing = (ext: string): boolean => formatsWith('drawing').some((name) => extOf(name) === ext);
/** Whether the extension of a link is that of a video. */
export const isVideo = (ext: string): boolean => formatsWith('video').some((name) => extOf(name) === ext);
/** Whether a file is a video, by its name. */
export function isVideoName(name: string): boolean {
  const format = formatOfFile(name);
  return format !== undefined && hasTrait(format, 'video');
}
/** Whether a group with these extensions may upload videos. */
export const allowsVideos = (allowed: readonly string[]): boolean =>
  formatsWith('video').some((name) => FORMATS[name].allowedAs.some((ext: string) => allowed.includes(ext)));
export const mayBeTransparent = (ext: string): boolean => formatsWith('transparent').some((name) => extOf(name) === ext);

/** What a group can allow. No group allows drawings at first, and guests never have them. */
export const KNOWN_EXTS = unique(FORMAT_NAMES.flatMap((name): Formats[FormatName]['allowedAs'][number][] => [...FORMATS[name].allowedAs]));

const extsOf = (names: readonly FormatName[]): readonly string[] => unique(names.flatMap((name) => FORMATS[name].exts));
const typesOf = (names: readonly FormatName[]) => names.flatMap((name): readonly string[] => FORMATS[name].types).join(',');
/** The extensions of all files that may be uploaded, and those of what is taken from folders: videos where they are allowed. */
export const ALL_EXTS = /* @__PURE__ */ extsOf(FORMAT_NAMES);
export const VIDEO_EXTS = /* @__PURE__ */ extsOf(/* @__PURE__ */ formatsWith('video'));
export const PICTURE_EXTS = /* @__PURE__ */ extsOf(
  /* @__PURE__ */ FORMAT_NAMES.filter((name) => !hasTrait(name, 'drawing') && !hasTrait(name, 'video')),
);

/** The extensions of what is taken from folders, of which videos must be among what a group may upload. */
export const takenExts = (allowed: readonly string[]): readonly string[] => [
  ...PICTURE_EXTS,
  ...extsOf(formatsWith('video').filter((name) => FORMATS[name].allowedAs.some((ext: string) => allowed.includes(ext)))),
];

/** What a browser's file dialog offers, as for `accept`: image types, and the files whose types many systems don't know; videos where they are allowed. */
export const ACCEPTED_VIDEOS = /* @__PURE__ */ typesOf(/* @__PURE__ */ formatsWith('video'));
export const ACCEPTED_FILES = ['image/*', ...extsOf(formatsWith('untyped')).map((ext) => `.${ext}`)].join(',');
/** The same for files that can become something else, such as an avatar. */
export const acceptedFor = (trait: Trait): string =>
  formatsWith(trait)
    .map((name) => FORMATS[name].types[0])
    .join(',');

export const labelsOf = (trait: Trait): string[] => formatsWith(trait).map((name) => FORMATS[name].label);
/** The formats for which a trait holds, in an English sentence: “JPEG, PNG or WebP”. */
export function anyOf(trait: Trait): string {
  const labels = labelsOf(trait);
  return `${labels.slice(0, -1).join(', ')} or ${labels.at(-1)}`;
}
