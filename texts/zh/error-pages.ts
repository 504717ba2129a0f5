import type { errorPages as english } from '#texts/en/error-pages.ts';

export const errorPages: typeof english = {
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
