import type { Translated } from '#texts/translated.ts';
import { albums } from '#texts/zh/albums.ts';
import { errors } from '#texts/zh/errors.ts';
import { badges, batch, gallery, selection } from '#texts/zh/gallery.ts';
import { library } from '#texts/zh/library.ts';
import { address } from '#texts/zh/shell/address.ts';
import { app, common, links, opens, publicPages } from '#texts/zh/shell/common.ts';
import { connection, desktopStatus, nav } from '#texts/zh/shell/nav.ts';
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
};
