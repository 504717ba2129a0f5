export const password = { weak: '太容易被猜到', fair: '一般', good: '良好', strong: '很强' };
