import type { restored as english } from '#texts/en/admin/restored.ts';
import type { Translated } from '#texts/translated.ts';

export const restored: Translated<typeof english> = {
  title: '已还原 {{date}} 的备份',
  pictures_other: '{{formatted}} 张图片',
  albums_other: '{{formatted}} 个相册',
  users_other: '{{formatted}} 个用户',
  missing_other: '备份时已有 {{formatted}} 张图片的文件丢失。',
  accounts: '所有人都需要重新登录。密码、角色以及账户是否停用，均已还原到备份时的状态。',
  tokens_other: '已吊销 {{formatted}} 个 API 令牌。',
  invites_other: '已作废 {{formatted}} 个未使用的邀请。',
  schedule: '备份到 {{folder}} 的自动备份已关闭。',
  webhook: 'Webhook“{{name}}”（{{url}}）已关闭。',
  turnOn: '开启',
  turnOnSchedule: '开启自动备份',
  turnOnWebhook: '开启 Webhook“{{name}}”',
  turnedOn: '已开启',
  kept: '被替换的数据在服务器的 replaced 文件夹中保留一周。',
  dismiss: '知道了',
  failed: '无法还原 {{date}} 的备份',
  failedText: 'Pixdock 无法使用该备份启动。所有数据已回到还原之前的状态。',
  reason: '原因：{{reason}}',
};
