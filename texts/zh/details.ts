import type { details as english } from '#texts/en/details.ts';
import type { Translated } from '#texts/translated.ts';

export const details: Translated<typeof english> = {
  file: '文件',
  size: '大小',
  dimensions: '尺寸',
  uploaded: '上传时间',
  taken: '拍摄时间',
  visibility: '谁可以看到',
  public: '知道链接的任何人',
  private: '仅自己',
  adminsToo: '此站点的管理员也能看到。',
  expires: '有效期',
  views: '浏览次数',
  viewsOf: '已用 {{views}} 次，共 {{max}} 次',
  protected: '受密码保护',
};
