import { errors } from '#texts/en/errors.ts';
import { publicAlbum, share, unlock } from '#texts/en/public/share.ts';
import { app, common, links, opens, publicPages } from '#texts/en/shell/common.ts';
import { visitorProblems } from '#texts/en/visitor-problems.ts';

/** The texts of the light pages, in English. */
export const texts = {
  app,
  common,
  links,
  opens,
  public: publicPages,
  unlock,
  share,
  publicAlbum,
  errors,
  problems: visitorProblems,
};
