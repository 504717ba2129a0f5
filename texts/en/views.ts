/** Most viewed pictures, and where views come from. */
export const views = {
  title: 'Views',
  intro: 'How often others opened your pictures in the last 30 days, and from which websites.',
  total_one: '{{formatted}} view in the last {{days}} days',
  total_other: '{{formatted}} views in the last {{days}} days',
  none: 'No views in the last {{days}} days. When others open your links, their views appear here.',
  pictures: 'Most viewed',
  sources: 'Referring websites',
  noSources: 'None yet',
  sourcesHint: 'Only website names are recorded. Views without a referrer, such as those from messages and apps, aren’t listed.',
  sourcesOff: 'An administrator has turned off counting referring websites.',
  otherHosts: 'Other websites',
  count_one: '{{formatted}} view',
  count_other: '{{formatted}} views',
  mostlyFrom: 'mostly from {{host}}',
} as const;
