import type { Translated } from '#texts/translated.ts';
import { access } from '#texts/zh/account/access.ts';
import { account } from '#texts/zh/account/account.ts';
import { accountDeletion } from '#texts/zh/account/account-deletion.ts';
import { auth } from '#texts/zh/account/auth.ts';
import { avatar } from '#texts/zh/account/avatar.ts';
import { connect } from '#texts/zh/account/connect.ts';
import { passkeys } from '#texts/zh/account/passkeys.ts';
import { password } from '#texts/zh/account/password.ts';
import { phones } from '#texts/zh/account/phones.ts';
import { preferences } from '#texts/zh/account/preferences.ts';
import { profile } from '#texts/zh/account/profile.ts';
import { sessions } from '#texts/zh/account/sessions.ts';
import { settings } from '#texts/zh/account/settings.ts';
import { signOn } from '#texts/zh/account/sign-on.ts';
import { tokens } from '#texts/zh/account/tokens.ts';
import { twoFactor } from '#texts/zh/account/two-factor.ts';
import { uploads } from '#texts/zh/account/uploads.ts';
import { capture } from '#texts/zh/desktop/capture.ts';
import { computer } from '#texts/zh/desktop/computer.ts';
import { folders } from '#texts/zh/desktop/folders.ts';
import { network } from '#texts/zh/desktop/network.ts';
import { duplicates } from '#texts/zh/duplicates.ts';
import { expiry } from '#texts/zh/expiry.ts';
import { hidden } from '#texts/zh/hidden.ts';
import { members } from '#texts/zh/members.ts';
import { problems } from '#texts/zh/problems.ts';
import { deletion } from '#texts/zh/public/deletion.ts';
import { guest } from '#texts/zh/public/guest.ts';
import { publicAlbum } from '#texts/zh/public/public-album.ts';
import { share } from '#texts/zh/public/share.ts';
import { unlock } from '#texts/zh/public/unlock.ts';
import { requests } from '#texts/zh/requests.ts';
import { unsaved } from '#texts/zh/shell/unsaved.ts';
import { text } from '#texts/zh/text.ts';
import { viewer } from '#texts/zh/viewer.ts';
import { views } from '#texts/zh/views.ts';
import type { en } from './en-later.ts';

/** 应用其余部分的文本。 */
export const zh: Translated<typeof en> = {
  password,
  unsaved,
  auth,
  access,
  signOn,
  viewer,
  text,
  settings,
  preferences,
  account,
  tokens,
  unlock,
  share,
  publicAlbum,
  deletion,
  guest,
  duplicates,
  members,
  requests,
  hidden,
  expiry,
  computer,
  connect,
  capture,
  network,
  folders,
  avatar,
  profile,
  twoFactor,
  accountDeletion,
  passkeys,
  phones,
  uploads,
  sessions,
  problems,
  views,
};
