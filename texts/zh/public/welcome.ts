export const welcome = {
  title: '欢迎加入 {{site}}',
  intro: '你的账户已创建，并已登录。',
  browser: '在此浏览器中打开',
  desktop: '在这台电脑上',
  desktopText: '桌面应用可以截屏、监视文件夹，并用快捷键上传。把它连接到你在这里的账户。',
  join: '用桌面应用加入',
  notInstalled: '没有反应？请先安装并启动应用，然后再点一次按钮。',
  download: '下载 Pixdock',
  phone: '在手机上',
  fromComputer: '之后可在这里打开“设置”中的“手机”：扫码连接手机后，就能从共享菜单上传。',
  homeScreen: '在浏览器的共享菜单或菜单中选择“添加到主屏幕”，以后打开更方便。',
  shareSheet: '要从共享菜单上传，请在电脑上打开 Pixdock，进入“设置”中的“手机”。',
} as const;
