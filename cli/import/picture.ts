import { posix } from 'node:path';
import type { FormFields } from '#api/images/upload.ts';
import { takenAt } from '#transfer/taken-at.ts';
import type { FoundFile } from '#transfer/walk.ts';

/** A picture to upload, with what the server should know about it. */
export interface Picture {
  file: FoundFile;
  name: string;
  time: Pick<FormFields, 'taken_at'>;
  /** Names of its albums. */
  albums: string[];
  /** What a Google Takeout adds. */
  takeout?: TakeoutPart;
}

export interface TakeoutPart {
  /** Other files with the same bytes, which aren't sent. */
  copies: FoundFile[];
  caption: string;
  favourite: boolean;
  /** Whether an earlier run has uploaded a file with these bytes, and as which image; without a key, it has been deleted since. */
  known?: { key: string | undefined };
}

/** All files of a picture. */
export const filesOfPicture = ({ file, takeout }: Picture): FoundFile[] => [file, ...(takeout?.copies ?? [])];

/** A file without further data: its modification time stands for the time of the picture. */
export function plainPicture(file: FoundFile, albums: string[]): Picture {
  return { file, name: posix.basename(file.relative), time: takenAt(Number(file.mtime / 1_000_000n)), albums };
}
