import type { connect as english } from '#texts/en/account/connect.ts';
import type { Translated } from '#texts/translated.ts';

export const connect: Translated<typeof english> = {
  title: '连接设备',
  intro: '设备上会显示一个配对码。在这里输入，即可授权该设备代你上传图片。',
  code: '配对码',
  where: '连接时，配对码会显示在该设备上。例如，在另一台电脑的 Pixdock 应用中加入此服务器时，即可看到配对码。',
  next: '继续',
  unknown: '这个配对码无效或已过期。请核对配对码，或在设备上重新获取。',
  question: '允许“{{name}}”代你上传图片吗？',
  compare: '请确认这是你本人的操作，且设备上显示的配对码与此相同：',
  account: '你的账户',
  address: '网络地址',
  asked: '请求时间',
  may: '它可以上传图片，图片归你所有。',
  mayNot: '它不能查看或更改你的图片、相册和账户。',
  deny: '拒绝',
  approve: '批准',
  approvedTitle: '已连接“{{name}}”',
  approvedText: '可以回到该设备了。如需断开，请在“设置 → API 令牌”中吊销它的令牌。',
  deniedTitle: '已拒绝“{{name}}”',
  deniedText: '它不能代你上传图片。',
  toTokens: '查看 API 令牌',
};
