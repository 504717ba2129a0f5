import { auth } from '#texts/en/account/auth.ts';
import { password } from '#texts/en/account/password.ts';
import { errors } from '#texts/en/errors.ts';
import { links } from '#texts/en/links.ts';
import { problems } from '#texts/en/problems.ts';
import { deletion } from '#texts/en/public/deletion.ts';
import { publicPages } from '#texts/en/public/public.ts';
import { publicAlbum } from '#texts/en/public/public-album.ts';
import { share } from '#texts/en/public/share.ts';
import { unlock } from '#texts/en/public/unlock.ts';
import { app } from '#texts/en/shell/app.ts';
import { common } from '#texts/en/shell/common.ts';
import { viewer } from '#texts/en/viewer.ts';

/** The texts of the light pages, in English. */
export const texts = {
  app,
  common,
  auth,
  password,
  viewer,
  links,
  public: publicPages,
  unlock,
  share,
  publicAlbum,
  deletion,
  errors,
  problems,
};
