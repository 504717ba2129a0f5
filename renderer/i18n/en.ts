import { access } from '#texts/en/account/access.ts';
import { account } from '#texts/en/account/account.ts';
import { accountDeletion } from '#texts/en/account/account-deletion.ts';
import { auth } from '#texts/en/account/auth.ts';
import { connect } from '#texts/en/account/connect.ts';
import { passkeys } from '#texts/en/account/passkeys.ts';
import { password } from '#texts/en/account/password.ts';
import { preferences } from '#texts/en/account/preferences.ts';
import { profile } from '#texts/en/account/profile.ts';
import { sessions } from '#texts/en/account/sessions.ts';
import { settings } from '#texts/en/account/settings.ts';
import { signOn } from '#texts/en/account/sign-on.ts';
import { tokens } from '#texts/en/account/tokens.ts';
import { twoFactor } from '#texts/en/account/two-factor.ts';
import { uploads } from '#texts/en/account/uploads.ts';
import { albums } from '#texts/en/albums.ts';
import { badges } from '#texts/en/badges.ts';
import { batch } from '#texts/en/batch.ts';
import { capture } from '#texts/en/desktop/capture.ts';
import { computer } from '#texts/en/desktop/computer.ts';
import { desktopUploads } from '#texts/en/desktop/desktop-uploads.ts';
import { folders } from '#texts/en/desktop/folders.ts';
import { network } from '#texts/en/desktop/network.ts';
import { details } from '#texts/en/details.ts';
import { duplicates } from '#texts/en/duplicates.ts';
import { errors } from '#texts/en/errors.ts';
import { expiry } from '#texts/en/expiry.ts';
import { gallery } from '#texts/en/gallery.ts';
import { hidden } from '#texts/en/hidden.ts';
import { library } from '#texts/en/library.ts';
import { links } from '#texts/en/links.ts';
import { picture } from '#texts/en/picture.ts';
import { problems } from '#texts/en/problems.ts';
import { deletion } from '#texts/en/public/deletion.ts';
import { guest } from '#texts/en/public/guest.ts';
import { publicPages } from '#texts/en/public/public.ts';
import { publicAlbum } from '#texts/en/public/public-album.ts';
import { share } from '#texts/en/public/share.ts';
import { unlock } from '#texts/en/public/unlock.ts';
import { selection } from '#texts/en/selection.ts';
import { address } from '#texts/en/shell/address.ts';
import { app } from '#texts/en/shell/app.ts';
import { common } from '#texts/en/shell/common.ts';
import { connection } from '#texts/en/shell/connection.ts';
import { nav } from '#texts/en/shell/nav.ts';
import { shortcuts } from '#texts/en/shell/shortcuts.ts';
import { unsaved } from '#texts/en/shell/unsaved.ts';
import { trash } from '#texts/en/trash.ts';
import { upload } from '#texts/en/upload.ts';
import { viewer } from '#texts/en/viewer.ts';
import { views } from '#texts/en/views.ts';

/** Every text of the web application, in English. */
export const en = {
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
} as const;
