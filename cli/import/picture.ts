import { posix } from 'node:path';
import type { FormFields } from '#api/images/upload.ts';
import type { OpenFile } from '#transfer/open-file.ts';
import type { SourceItem } from '#transfer/sources/item.ts';
import { takenAt } from '#transfer/taken-at.ts';
import { type FoundFile, openFound } from '#transfer/walk.ts';

/** What identifies a picture in journal and report, and names it: a file, or an item of another product. */
export type PictureFile = Pick<FoundFile, 'path' | 'relative' | 'size' | 'mtime' | 'nameIsText'>;

/** A picture to upload, with what the server should know about it. */
export interface Picture {
  file: PictureFile;
  /** Opens its bytes. */
  open(): Promise<OpenFile>;
  name: string;
  time: Pick<FormFields, 'taken_at'>;
  /** Names of its albums. */
  albums: string[];
  /** What an upload can't set, or only for a new picture. */
  caption: string;
  favourite: boolean;
  /** Further fields of the upload. */
  fields?: FormFields;
  /** What is changed afterwards. */
  changes?: Changes;
  /** What a Google Takeout adds. */
  takeout?: TakeoutPart;
  /** What another product adds. */
  remote?: RemotePart;
}

export interface TakeoutPart {
  /** Other files with the same bytes, which aren't sent. */
  copies: PictureFile[];
  /** Whether an earlier run has uploaded a file with these bytes, and as which image; without a key, it has been deleted since. */
  known?: { key: string | undefined };
}

export interface Changes {
  /** If the form can't carry them. */
  tags?: string[];
  /** How many more views it has. */
  max_views?: number;
  /** If the source knows that better than the file. */
  taken_at?: string;
  title?: string;
  alt?: string;
  slug?: string;
}

export interface RemotePart {
  item: SourceItem;
  /** Size and SHA-256 of what was downloaded. */
  bytes?: { size: number; sha256: string };
}

/** All files of a picture. */
export const filesOfPicture = ({ file, takeout }: Picture): PictureFile[] => [file, ...(takeout?.copies ?? [])];

/** A file without further data: its modification time stands for the time of the picture. */
export function plainPicture(file: FoundFile, albums: string[]): Picture {
  return {
    file,
    open: () => openFound(file),
    name: posix.basename(file.relative),
    time: takenAt(Number(file.mtime / 1_000_000n)),
    albums,
    caption: '',
    favourite: false,
  };
}
