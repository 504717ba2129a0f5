export const drill = {
  passed: '最近一次自动备份可以还原',
  passedText: '验证时间：{{date}}，用时 {{duration}}。Pixdock 可以用该备份正常启动，全部 {{formatted}} 个文件（{{size}}）均完好。',
  failed: '最近一次自动备份无法还原',
  failedText: '验证时间：{{date}}。请检查文件夹及其所在磁盘，然后重新备份。原因：{{reason}}',
};
