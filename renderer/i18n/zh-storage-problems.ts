import type { StorageProblem } from '#api/errors.ts';

/** Why a bucket can't be used. */
export const storageProblems: Record<StorageProblem, string> = {
  storage_name: '找不到该服务器。请检查地址是否有误。',
  storage_connection: '服务器拒绝连接。请检查地址和端口，并确认对象存储正在运行。',
  storage_timeout: '服务器没有及时响应。请检查地址，以及是否被防火墙拦截。',
  storage_certificate: '无法建立安全连接。请检查服务器的证书，或确认服务器是否使用 http。',
  storage_not_s3: '服务器有响应，但不是兼容 S3 的对象存储。请填写其 S3 接口的地址。',
  storage_region: '存储桶不在此区域，或该端点属于其他区域。',
  storage_access_key: '对象存储中没有此 Access Key ID。',
  storage_secret_key: 'Secret Access Key 不正确。',
  storage_bucket: '存储桶不存在。请先创建，并检查“路径样式地址”。',
  storage_denied_list: '此密钥没有列出存储桶内容的权限（s3:ListBucket）。请在对象存储中修改权限。',
  storage_denied_write: '此密钥没有写入对象的权限（s3:PutObject）。请在对象存储中修改权限。',
  storage_denied_read: '此密钥没有读取对象的权限（s3:GetObject）。请在对象存储中修改权限。',
  storage_denied_delete: '此密钥没有删除对象的权限（s3:DeleteObject）。请在对象存储中修改权限。',
  storage_clock: '本服务器与对象存储的时间相差过大。请校准本服务器的时间。',
  storage_full: '对象存储空间已满，或存储桶已达到配额。',
  storage_failed: '对象存储返回了错误。请稍后再试，并查看其日志。',
  storage_not_empty: '存储桶中此前缀下已有对象。请更换前缀，或使用空的存储桶。',
  storage_other: '此策略的图片不在该位置。请填写原对象存储的端点。',
  storage_taken: '另一个存储策略已在使用此存储桶和前缀。请更换前缀。',
};
