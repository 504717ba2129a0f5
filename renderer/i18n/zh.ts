import type { Translated } from '#texts/translated.ts';
import { access } from '#texts/zh/account/access.ts';
import { account } from '#texts/zh/account/account.ts';
import { accountDeletion } from '#texts/zh/account/account-deletion.ts';
import { auth } from '#texts/zh/account/auth.ts';
import { connect } from '#texts/zh/account/connect.ts';
import { passkeys } from '#texts/zh/account/passkeys.ts';
import { password } from '#texts/zh/account/password.ts';
import { preferences } from '#texts/zh/account/preferences.ts';
import { profile } from '#texts/zh/account/profile.ts';
import { sessions } from '#texts/zh/account/sessions.ts';
import { settings } from '#texts/zh/account/settings.ts';
import { signOn } from '#texts/zh/account/sign-on.ts';
import { tokens } from '#texts/zh/account/tokens.ts';
import { twoFactor } from '#texts/zh/account/two-factor.ts';
import { uploads } from '#texts/zh/account/uploads.ts';
import { albums } from '#texts/zh/albums.ts';
import { badges } from '#texts/zh/badges.ts';
import { batch } from '#texts/zh/batch.ts';
import { capture } from '#texts/zh/desktop/capture.ts';
import { computer } from '#texts/zh/desktop/computer.ts';
import { desktopUploads } from '#texts/zh/desktop/desktop-uploads.ts';
import { folders } from '#texts/zh/desktop/folders.ts';
import { network } from '#texts/zh/desktop/network.ts';
import { details } from '#texts/zh/details.ts';
import { duplicates } from '#texts/zh/duplicates.ts';
import { errors } from '#texts/zh/errors.ts';
import { expiry } from '#texts/zh/expiry.ts';
import { gallery } from '#texts/zh/gallery.ts';
import { hidden } from '#texts/zh/hidden.ts';
import { library } from '#texts/zh/library.ts';
import { links } from '#texts/zh/links.ts';
import { picture } from '#texts/zh/picture.ts';
import { problems } from '#texts/zh/problems.ts';
import { deletion } from '#texts/zh/public/deletion.ts';
import { guest } from '#texts/zh/public/guest.ts';
import { publicPages } from '#texts/zh/public/public.ts';
import { publicAlbum } from '#texts/zh/public/public-album.ts';
import { share } from '#texts/zh/public/share.ts';
import { unlock } from '#texts/zh/public/unlock.ts';
import { selection } from '#texts/zh/selection.ts';
import { address } from '#texts/zh/shell/address.ts';
import { app } from '#texts/zh/shell/app.ts';
import { common } from '#texts/zh/shell/common.ts';
import { connection } from '#texts/zh/shell/connection.ts';
import { nav } from '#texts/zh/shell/nav.ts';
import { shortcuts } from '#texts/zh/shell/shortcuts.ts';
import { unsaved } from '#texts/zh/shell/unsaved.ts';
import { trash } from '#texts/zh/trash.ts';
import { upload } from '#texts/zh/upload.ts';
import { viewer } from '#texts/zh/viewer.ts';
import { views } from '#texts/zh/views.ts';
import type { en } from './en.ts';

/** 简体中文. */
export const zh: Translated<typeof en> = {
  app,
  common,
  password,
  unsaved,
  nav,
  connection,
  auth,
  access,
  signOn,
  gallery,
  viewer,
  details,
  links,
  upload,
  settings,
  preferences,
  account,
  tokens,
  public: publicPages,
  unlock,
  share,
  publicAlbum,
  deletion,
  guest,
  address,
  library,
  picture,
  selection,
  shortcuts,
  albums,
  duplicates,
  trash,
  badges,
  hidden,
  expiry,
  computer,
  connect,
  capture,
  batch,
  desktopUploads,
  network,
  folders,
  profile,
  twoFactor,
  accountDeletion,
  passkeys,
  uploads,
  sessions,
  errors,
  problems,
  views,
};
