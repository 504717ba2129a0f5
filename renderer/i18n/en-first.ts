import { albums } from '#texts/en/albums.ts';
import { errors } from '#texts/en/errors.ts';
import { badges, batch, gallery, selection } from '#texts/en/gallery.ts';
import { library } from '#texts/en/library.ts';
import { address } from '#texts/en/shell/address.ts';
import { app, common, links, opens, publicPages } from '#texts/en/shell/common.ts';
import { connection, desktopStatus, nav } from '#texts/en/shell/nav.ts';
import { trash } from '#texts/en/trash.ts';
import { upload } from '#texts/en/upload.ts';

/** The gallery’s texts in English, which the first page waits for. */
export const en = {
  app,
  common,
  nav,
  connection,
  gallery,
  links,
  opens,
  upload,
  public: publicPages,
  address,
  library,
  selection,
  albums,
  trash,
  badges,
  batch,
  desktopStatus,
  errors,
} as const;
