// SPDX-License-Identifier: GPL-3.0-or-later
pragma solidity 0.8.30;

import {TestToken} from "./TestToken.sol";

/// A test token that refuses to replace an allowance, as USDT does: it must be set to zero first.
contract StrictToken is TestToken {
    error AllowanceStands(uint256 allowance);

    constructor(string memory name, string memory symbol, uint8 decimals_, address[] memory holders, uint256 amount)
        TestToken(name, symbol, decimals_, holders, amount)
    {}

    function approve(address spender, uint256 value) public override returns (bool) {
        uint256 standing = allowance(msg.sender, spender);
        if (value > 0 && standing > 0) revert AllowanceStands(standing);
        return super.approve(spender, value);
    }
}
