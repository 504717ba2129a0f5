import type { access as english } from '#texts/en/account/access.ts';
import type { Translated } from '#texts/translated.ts';

export const access: Translated<typeof english> = {
  revokeTokens: '同时吊销全部 API 令牌',
  revokeTokensHint: '代你上传的程序会停止工作，换用新令牌后才能继续。',
  end: '全部退出登录并吊销令牌',
  endHint: '丢失了设备，或怀疑他人能访问你的账户？请让其他设备全部退出登录并吊销全部令牌，然后更改密码。',
  endTitle: '让其他设备全部退出登录，并吊销全部令牌？',
  endText: '除此浏览器外，其他设备和浏览器都会退出登录，全部 API 令牌也会被吊销：程序、脚本和已连接的设备需要新令牌。',
  ended: '其他设备已退出登录，全部令牌已吊销',
};
