const { join } = require('node:path');
const { createStartLocalnet } = require('./testing/create-localnet.js');

exports.startLocalnet = createStartLocalnet(join(__dirname, '..'));
