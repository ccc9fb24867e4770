// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface IToken {
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

/// An app's contract that takes as much from its caller as it was set to.
contract AppParty {
    uint256 public price;

    function charge(uint256 amount) external {
        price = amount;
    }

    function buy(address token) external {
        IToken(token).transferFrom(msg.sender, address(this), price);
    }
}
