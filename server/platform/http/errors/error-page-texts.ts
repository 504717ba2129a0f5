import type { ErrorCode } from '#api/errors.ts';
import type { RequestError } from '#server/platform/base/errors.ts';

export type PageLanguage = 'en' | 'zh';

interface Words {
  title: string;
  text: string;
}

interface Texts {
  codes: Partial<Record<ErrorCode, Words>>;
  /** For the other codes: the request is at fault, or the service. */
  request: string;
  service: string;
  /** The link to the home page. */
  wayOn: string;
  errorId: string;
}

const ENGLISH: Texts = {
  codes: {
    not_found: {
      title: 'Not found',
      text: 'There’s nothing at this address. It may have been deleted or made private, or the link is incomplete. Check that you have the whole link.',
    },
    expired: { title: 'This picture has expired', text: 'Ask the person who sent you the link to share it again.' },
    view_limit_reached: {
      title: 'This picture has reached its view limit',
      text: 'Ask the person who sent you the link to share it again.',
    },
    unknown_host: {
      title: 'Pixdock isn’t configured for this address',
      text: 'Use the address shown when Pixdock starts. If you run this site, add the name in your browser’s address bar to PIXDOCK_ALLOWED_HOSTS.',
    },
    rate_limited: { title: 'Too many requests', text: 'Wait a moment, then reload this page.' },
    method_not_allowed: { title: 'That isn’t possible here', text: 'Go back and try again.' },
    unavailable: { title: 'Pixdock is busy', text: 'Wait a moment, then reload this page.' },
    internal: {
      title: 'Something went wrong',
      text: 'Reload this page. If the problem persists, send the error ID to your administrator.',
    },
  },
  request: 'This page can’t be shown',
  service: 'Something went wrong',
  wayOn: 'Go to the home page',
  errorId: 'Error ID:',
};

const CHINESE: Texts = {
  codes: {
    not_found: {
      title: '页面不存在',
      text: '此地址没有可以显示的内容。图片可能已过期、已被删除或不再公开，也可能是链接不完整。请检查链接，或让发来链接的人重新分享。',
    },
    expired: { title: '这张图片已过期', text: '请让发来链接的人重新分享。' },
    view_limit_reached: { title: '这张图片已达到浏览次数上限', text: '请让发来链接的人重新分享。' },
    unknown_host: {
      title: '此地址不在 Pixdock 的配置中',
      text: '请使用 Pixdock 启动时显示的地址。如果你是站点管理员，请将浏览器地址栏中的主机名添加到 PIXDOCK_ALLOWED_HOSTS。',
    },
    rate_limited: { title: '请求过于频繁', text: '请稍后重新加载此页面。' },
    method_not_allowed: { title: '此地址不支持该操作', text: '请返回后重试。' },
    unavailable: { title: 'Pixdock 正忙', text: '请稍后重新加载此页面。' },
    internal: { title: '出错了', text: '请重新加载此页面。如果问题仍然存在，请将错误编号发给管理员。' },
    invalid_width: { title: '无法显示此页面', text: '链接中的缩略图宽度不受支持。' },
    invalid_request: { title: '无法显示此页面', text: '无法读取此请求。请检查链接。' },
    forbidden: { title: '无法显示此页面', text: '你没有权限执行此操作。' },
  },
  request: '无法显示此页面',
  service: '出错了',
  wayOn: '前往首页',
  errorId: '错误编号：',
};

/** The sentences of a refusal's page. English has the error's own sentence where there is no better one; so do rare codes in Chinese. */
export function refusalTexts(error: RequestError, language: PageLanguage): Words & Pick<Texts, 'wayOn' | 'errorId'> {
  const { codes, request, service, wayOn, errorId } = language === 'zh' ? CHINESE : ENGLISH;
  const words = codes[error.code] ?? { title: error.status < 500 ? request : service, text: error.message };
  return { ...words, wayOn, errorId };
}
