// siwe reads three functions from here when it is loaded and would call them only in its own verification.
exports.ethers = {}
