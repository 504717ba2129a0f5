import { albums } from '#texts/en/albums.ts';
import { badges } from '#texts/en/badges.ts';
import { batch } from '#texts/en/batch.ts';
import { desktopUploads } from '#texts/en/desktop/desktop-uploads.ts';
import { details } from '#texts/en/details.ts';
import { errors } from '#texts/en/errors.ts';
import { gallery } from '#texts/en/gallery.ts';
import { library } from '#texts/en/library.ts';
import { links } from '#texts/en/links.ts';
import { picture } from '#texts/en/picture.ts';
import { publicPages } from '#texts/en/public/public.ts';
import { selection } from '#texts/en/selection.ts';
import { address } from '#texts/en/shell/address.ts';
import { app } from '#texts/en/shell/app.ts';
import { common } from '#texts/en/shell/common.ts';
import { connection } from '#texts/en/shell/connection.ts';
import { nav } from '#texts/en/shell/nav.ts';
import { shortcuts } from '#texts/en/shell/shortcuts.ts';
import { trash } from '#texts/en/trash.ts';
import { upload } from '#texts/en/upload.ts';

/** The gallery’s texts in English, which the first page waits for. */
export const en = {
  app,
  common,
  nav,
  connection,
  gallery,
  details,
  links,
  upload,
  public: publicPages,
  address,
  library,
  picture,
  selection,
  shortcuts,
  albums,
  trash,
  badges,
  batch,
  desktopUploads,
  errors,
} as const;
