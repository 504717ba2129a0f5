import type { Translated } from '#texts/translated.ts';
import { albums } from '#texts/zh/albums.ts';
import { badges } from '#texts/zh/badges.ts';
import { batch } from '#texts/zh/batch.ts';
import { desktopUploads } from '#texts/zh/desktop/desktop-uploads.ts';
import { details } from '#texts/zh/details.ts';
import { errors } from '#texts/zh/errors.ts';
import { gallery } from '#texts/zh/gallery.ts';
import { library } from '#texts/zh/library.ts';
import { links } from '#texts/zh/links.ts';
import { picture } from '#texts/zh/picture.ts';
import { publicPages } from '#texts/zh/public/public.ts';
import { selection } from '#texts/zh/selection.ts';
import { address } from '#texts/zh/shell/address.ts';
import { app } from '#texts/zh/shell/app.ts';
import { common } from '#texts/zh/shell/common.ts';
import { connection } from '#texts/zh/shell/connection.ts';
import { nav } from '#texts/zh/shell/nav.ts';
import { shortcuts } from '#texts/zh/shell/shortcuts.ts';
import { trash } from '#texts/zh/trash.ts';
import { upload } from '#texts/zh/upload.ts';
import type { en } from './en-first.ts';

/** 图库的文本，首页会等待其加载。 */
export const zh: Translated<typeof en> = {
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
};
