import { auth, password } from '#texts/en/account/auth.ts';
import { errors } from '#texts/en/errors.ts';
import { problems } from '#texts/en/problems.ts';
import { deletion, publicAlbum, share, unlock } from '#texts/en/public/share.ts';
import { app, common, links, opens, publicPages } from '#texts/en/shell/common.ts';
import { viewer } from '#texts/en/viewer.ts';

/** The texts of the light pages, in English. */
export const texts = {
  app,
  common,
  auth,
  password,
  viewer,
  links,
  opens,
  public: publicPages,
  unlock,
  share,
  publicAlbum,
  deletion,
  errors,
  problems,
};
