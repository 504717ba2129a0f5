import { access } from '#texts/en/account/access.ts';
import { account } from '#texts/en/account/account.ts';
import { accountDeletion } from '#texts/en/account/account-deletion.ts';
import { auth } from '#texts/en/account/auth.ts';
import { avatar } from '#texts/en/account/avatar.ts';
import { connect } from '#texts/en/account/connect.ts';
import { passkeys } from '#texts/en/account/passkeys.ts';
import { password } from '#texts/en/account/password.ts';
import { phones } from '#texts/en/account/phones.ts';
import { preferences } from '#texts/en/account/preferences.ts';
import { profile } from '#texts/en/account/profile.ts';
import { sessions } from '#texts/en/account/sessions.ts';
import { settings } from '#texts/en/account/settings.ts';
import { signOn } from '#texts/en/account/sign-on.ts';
import { tokens } from '#texts/en/account/tokens.ts';
import { twoFactor } from '#texts/en/account/two-factor.ts';
import { uploads } from '#texts/en/account/uploads.ts';
import { capture } from '#texts/en/desktop/capture.ts';
import { computer } from '#texts/en/desktop/computer.ts';
import { folders } from '#texts/en/desktop/folders.ts';
import { network } from '#texts/en/desktop/network.ts';
import { duplicates } from '#texts/en/duplicates.ts';
import { expiry } from '#texts/en/expiry.ts';
import { hidden } from '#texts/en/hidden.ts';
import { members } from '#texts/en/members.ts';
import { problems } from '#texts/en/problems.ts';
import { deletion } from '#texts/en/public/deletion.ts';
import { guest } from '#texts/en/public/guest.ts';
import { publicAlbum } from '#texts/en/public/public-album.ts';
import { share } from '#texts/en/public/share.ts';
import { unlock } from '#texts/en/public/unlock.ts';
import { requests } from '#texts/en/requests.ts';
import { unsaved } from '#texts/en/shell/unsaved.ts';
import { text } from '#texts/en/text.ts';
import { viewer } from '#texts/en/viewer.ts';
import { views } from '#texts/en/views.ts';

/** English texts of everything else in the web application, loaded with the first part of it that isn’t on the first page. */
export const en = {
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
} as const;
