import type { ErrorCode } from '#api/errors.ts';

const TEXTS: Partial<Record<ErrorCode, [english: string, chinese: string]>> = {
  expired: ['This picture has expired', '此图片已过期'],
  password_required: ['This picture is password-protected', '此图片受密码保护'],
  wrong_password: ['Incorrect password', '密码不正确'],
  view_limit_reached: ['This picture has reached its view limit', '此图片已达到浏览次数上限'],
  thumbnail_withheld: ['No preview available', '此图片不提供预览'],
};

/** A small picture (SVG, 400 × 300) that says why another one isn't shown; undefined for codes without one. */
export function placeholderFor(code: ErrorCode): string | undefined {
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
