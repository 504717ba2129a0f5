import type { lan as english } from '#texts/en/main/lan.ts';

export const lan: typeof english = {
  lanOff: '未在此网络上共享',
  lanStarting: '正在开启网络共享…',
  lanNoNetwork: '未连接网络',
  lanUnconfirmed: '已在此网络上共享，还没有其他设备打开过',
  lanUnreached: '已在此网络上共享，但其他设备可能无法访问',
  lanReached: (by) => `已在此网络上共享，${by} 已成功访问`,
  lanMissing: (host) => `链接失效：本机已没有地址 ${host}`,
  lanShare: '在此网络上共享',
  lanCode: '显示二维码…',
  choosePort: '更换端口…',
  linksStartElsewhere: '链接使用的地址请在“管理 → 设置”的“图片链接的地址”中更改。',
  portIsBlocked: '此端口属于其他服务，浏览器会拒绝打开。请换一个端口。',
  portIsTaken: '该端口已被其他程序占用，请换一个。',
  notAHost: '请填写主机名或 IPv4 地址，不含 http:// 和端口。',
  portIsFixed: '端口由环境变量 PIXDOCK_PORT 指定，请修改该变量。',
  localNetworkBlocked: 'macOS 可能没有允许 Pixdock 访问本地网络。请在“系统设置 → 隐私与安全性 → 本地网络”中允许。',
};
