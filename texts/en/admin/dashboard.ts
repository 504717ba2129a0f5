export const dashboard = {
  period: 'Period',
  days_one: '{{count}} day',
  days_other: '{{count}} days',
  images: 'Pictures, excluding trash',
  stored: 'Storage used',
  views: 'Views',
  viewsIn: 'Views in the last {{days}} days',
  people: 'Users',
  uploads: 'Uploads',
  storage: 'Storage',
  most: 'Top users by storage',
  mostHint:
    'Storage includes the trash, and identical pictures count for each user. “Disk usage” under System shows what the files take up: there, identical ones are stored only once.',
  uploadCount_one: '{{formatted}} upload',
  uploadCount_other: '{{formatted}} uploads',
} as const;
