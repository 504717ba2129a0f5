import type { Request, Response } from 'express';
import type { ErrorCode } from '#api/errors.ts';
import type { RequestError } from '#server/platform/base/errors.ts';
import { responseForm } from '#server/platform/http/errors/response-form.ts';
import { ORIGINAL_CSP } from '#server/platform/http/headers/content-policies.ts';

/**
 * Responds to a refused direct link or thumbnail in a form that the client can use: a person who follows the link gets to
 * the share page, which explains the refusal; an `<img>` shows a placeholder with the same status.
 * @throws the refusal itself for other clients, and for a 404, which must not reveal more
 */
export function sendRefusal(request: Request, response: Response, key: string, refusal: RequestError): void {
  const placeholder = placeholderFor(refusal.code);
  const form = placeholder === undefined ? 'data' : responseForm(request);
  if (form === 'data') throw refusal;
  response.setHeader('Cache-Control', 'private, no-store');
  if (form === 'page') {
    // Relative, so that the browser stays on the host that has its cookies.
    response.redirect(302, `/s/${key}`);
    return;
  }
  response.setHeader('Content-Security-Policy', ORIGINAL_CSP);
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  response.status(refusal.status).type('image/svg+xml').send(placeholder);
}

const TEXTS: Partial<Record<ErrorCode, [english: string, chinese: string]>> = {
  expired: ['This picture has expired', '此图片已过期'],
  password_required: ['This picture is password-protected', '此图片受密码保护'],
  wrong_password: ['Incorrect password', '密码不正确'],
  view_limit_reached: ['This picture has reached its view limit', '此图片已达到浏览次数上限'],
  hotlink_refused: ['Not available on other sites', '不能在其他网站上显示'],
  thumbnail_withheld: ['No preview available', '此图片不提供预览'],
};

/** A small picture (SVG, 400 × 300) that says why another one isn't shown; undefined for codes without one. */
function placeholderFor(code: ErrorCode): string | undefined {
  const texts = TEXTS[code];
  if (!texts) return undefined;
  const [english, chinese] = texts;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300" viewBox="0 0 400 300" role="img" aria-label="${english}">
<rect width="400" height="300" fill="#e9edee"/>
<g fill="none" stroke="#7a8a8d" stroke-width="6" stroke-linecap="round" stroke-linejoin="round">
<rect x="150" y="70" width="100" height="80" rx="10"/><path d="m150 138 30-30 24 22 16-14 30 28M140 160 260 60"/>
</g>
<g fill="#4a585b" font-family="system-ui, sans-serif" text-anchor="middle">
<text x="200" y="206" font-size="18">${english}</text><text x="200" y="234" font-size="16">${chinese}</text>
</g>
</svg>
`;
}
