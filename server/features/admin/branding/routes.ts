import * as api from '#api/branding.ts';
import { MAX_LOGO_BYTES } from '#api/constants.ts';
import { auditOrigin } from '#server/core/accounts/actor.ts';
import { callerTurn } from '#server/core/accounts/caller-turn.ts';
import type { Context } from '#server/core/context.ts';
import { bind, bindBinary, parsePart } from '#server/core/routes.ts';
import { presentBranding, readSitePicture } from '#server/core/settings/brand.ts';
import { makeLogo, withoutLogo } from '#server/features/admin/settings/logo.ts';
import { NotFoundError } from '#server/platform/base/errors.ts';
import { receiveForm, requireFile } from '#server/platform/http/form.ts';
import { sendEmblem } from '#server/platform/http/send-emblem.ts';
import { changeSettings } from '../settings/admin-settings.ts';

/** The site's logo. Its accent colour is one of the settings; a form with a logo can change both at once. */
export const brandingRoutes = ({ db, settings, links, staging, decoding }: Context) => [
  bind(api.putLogo, async (call) => {
    const { actor, request, response } = call;
    await using form = await receiveForm(request, response, staging, { maxBytes: MAX_LOGO_BYTES });
    const own = decoding.as({ ...callerTurn(actor, response), purpose: 'upload' });
    const { accent_color } = parsePart(api.logoFields, form.fields);
    const changes = accent_color === undefined ? {} : { accent_color: accent_color || null };
    const logo = await makeLogo(requireFile(form), own);
    await changeSettings(settings, call.caller, links.address(), changes, auditOrigin(call), logo);
    return presentBranding(settings.current());
  }),

  bind(api.deleteLogo, async (call) => {
    await changeSettings(settings, call.caller, links.address(), {}, auditOrigin(call), withoutLogo(settings));
    return presentBranding(settings.current());
  }),

  bindBinary(api.getSitePicture, async ({ params: { name }, query, request, response }) => {
    const { logo } = settings.current();
    const content = logo && (await readSitePicture(db.read, name));
    if (!content) throw new NotFoundError('This site has no logo of its own.');
    const { version } = logo;
    const mime = name === 'logo' ? logo.mime : 'image/png';
    sendEmblem(request, response, { content, mime, version, isVersioned: query.v === version, scope: 'public' });
  }),
];
